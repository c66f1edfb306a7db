(module
  (import "teacher-assist:plugin/model@0.2.0" "ask" (func $ask (param i32 i32 i32 i32 i32 i32)))
  (import "teacher-assist:plugin/log@0.2.0" "write" (func $write (param i32 i32 i32)))
  (memory (export "memory") 2)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
  (data (i32.const 1024) "judge")
  ;; An error (1) of the kind `denied` (0); its sentence follows. What lies behind 4096 is `pass` without notes.
  (func (export "teacher-assist:plugin/pre-loop@0.2.0#run") (param i32) (result i32)
    (call $ask (i32.const 1024) (i32.const 5) (i32.const 1024) (i32.const 5) (i32.const 64) (i32.const 2048))
    (if (i32.or (i32.ne (i32.load8_u (i32.const 2048)) (i32.const 1)) (i32.ne (i32.load8_u (i32.const 2052)) (i32.const 0)))
      (then (unreachable)))
    (call $write (i32.const 1) (i32.load (i32.const 2056)) (i32.load (i32.const 2060)))
    (i32.const 4096)))
