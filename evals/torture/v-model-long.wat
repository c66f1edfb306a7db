(module
  (import "teacher-assist:plugin/model@0.2.0" "ask" (func $ask (param i32 i32 i32 i32 i32 i32)))
  (memory (export "memory") 4)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
  ;; An error (1) of the kind `too-long` (3); what lies behind 4096 is `pass` without notes.
  (func (export "teacher-assist:plugin/pre-loop@0.2.0#run") (param i32) (result i32)
    (call $ask (i32.const 1024) (i32.const 5) (i32.const 1024) (i32.const 100000) (i32.const -1) (i32.const 2048))
    (if (i32.or (i32.ne (i32.load8_u (i32.const 2048)) (i32.const 1)) (i32.ne (i32.load8_u (i32.const 2052)) (i32.const 3)))
      (then (unreachable)))
    (i32.const 4096)))
