(module
  (import "teacher-assist:plugin/model@0.2.0" "ask" (func $ask (param i32 i32 i32 i32 i32 i32)))
  (memory (export "memory") 2)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
  (data (i32.const 1024) "judge")
  (func (export "teacher-assist:plugin/pre-loop@0.2.0#run") (param i32) (result i32)
    (loop $again
      (call $ask (i32.const 1024) (i32.const 5) (i32.const 1024) (i32.const 5) (i32.const 64) (i32.const 2048))
      (br $again))
    (unreachable)))
